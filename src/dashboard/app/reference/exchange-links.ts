/** A plugin for Swagger UI: each response of the interface links to its exchange in the traffic. */
import { addressOf } from '../route.ts';

interface Headers {
  toJS(): Readonly<Record<string, string>>;
}
interface LiveResponseProps {
  /** An Immutable Map. */
  readonly response: { get(name: 'headers'): Headers | undefined; get(name: 'url'): string | undefined };
}
type Component<Props> = (props: Props) => unknown;
interface System {
  readonly React: {
    createElement(component: unknown, props: object | null, ...children: unknown[]): unknown;
  };
}

/** Whether a request went to the interface: those to the controls are not in the traffic. */
export const isOfInterface = (url: string | undefined): boolean =>
  url !== undefined && !new URL(url, document.baseURI).pathname.includes('/_sandbox');

export const exchangeLinks = () => ({
  wrapComponents: {
    liveResponse:
      (Original: Component<LiveResponseProps>, { React }: System) =>
      (props: LiveResponseProps) => {
        const { response } = props;
        const id = response.get('headers')?.toJS()['sandbox-request-id'];
        const original = React.createElement(Original, props);
        if (id === undefined || !isOfInterface(response.get('url'))) return original;
        const link = React.createElement('a', { href: addressOf('traffic', id) }, `${id} in the traffic`);
        return React.createElement(
          'div',
          null,
          React.createElement('p', { className: 'exchange-link' }, 'This request is ', link, '.'),
          original,
        );
      },
  },
});
