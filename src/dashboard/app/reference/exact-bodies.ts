/**
 * A plugin for Swagger UI, which formats JSON responses with `JSON.parse` and so rounds an int64: here numbers keep
 * their digits.
 */
import { parse, stringify } from 'lossless-json';

interface BodyProps {
  readonly content: unknown;
  readonly contentType?: string;
}
type Component<Props> = (props: Props) => unknown;
interface System {
  readonly React: { createElement<Props>(component: Component<Props>, props: Props): unknown };
}

export const exactBodies = () => ({
  wrapComponents: {
    responseBody: (Original: Component<BodyProps>, system: System) => (props: BodyProps) =>
      system.React.createElement(Original, exact(props)),
  },
});

/** Formatted here and declared plain text, so that it is shown unchanged. */
function exact(props: BodyProps): BodyProps {
  if (typeof props.content !== 'string' || !/json/i.test(props.contentType ?? '')) return props;
  try {
    return { ...props, content: stringify(parse(props.content), undefined, 2), contentType: 'text/plain' };
  } catch {
    return props;
  }
}
