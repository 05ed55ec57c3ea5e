/** The two sides of an exchange, each with its own findings. */
import type { Schema } from '../../../client/routes.ts';
import { type Finding, headerLines, type Line, targetLines } from './lines.ts';
import { Message } from './message.tsx';

type Exchange = Schema<'Exchange'>;

interface SideProps {
  readonly exchange: Exchange;
  readonly specification: unknown;
}

export const findingsIn = ({ violations, warnings }: Exchange): readonly Finding[] => [
  ...violations.map((violation) => ({ ...violation, kind: 'violation' as const })),
  ...warnings.map((warning) => ({ ...warning, kind: 'warning' as const })),
];

export const isOfResponse = (finding: Finding): boolean => finding.kind === 'violation' && finding.side === 'response';

export const RequestMessage = ({ exchange, specification }: SideProps) => (
  <Message
    title="Request"
    head={[...targetLines(exchange.method, exchange.target), ...headerLines(exchange.request.headers)]}
    body={exchange.request.body}
    note={exchange.request.unread ? 'Its body was refused without being read.' : cutNote(exchange.request)}
    findings={findingsIn(exchange).filter((finding) => !isOfResponse(finding))}
    operation={exchange.operation}
    specification={specification}
  />
);

export const ResponseMessage = ({ exchange, specification }: SideProps) => (
  <Message
    title="Response"
    head={[statusLine(exchange.status), ...headerLines(exchange.response.headers)]}
    body={exchange.response.body}
    note={cutNote(exchange.response)}
    findings={findingsIn(exchange).filter(isOfResponse)}
    operation={exchange.operation}
    specification={specification}
  />
);

const cutNote = ({ cut, bytes }: { cut: boolean; bytes: number }): string | undefined =>
  cut ? `Only the beginning of its ${bytes.toLocaleString('en-GB')} bytes was kept.` : undefined;

const statusLine = (status: number): Line => ({
  place: 'status',
  indent: 0,
  pieces: [{ kind: 'key', text: status === 0 ? 'No response was sent.' : String(status) }],
});
