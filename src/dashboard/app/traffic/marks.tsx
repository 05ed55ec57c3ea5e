/** The status and the method of a request. */
export const Status = ({ status }: { status: number }) => (
  <span class={`status s${String(status)[0]}`}>{status === 0 ? 'cut' : status}</span>
);

export const Method = ({ method }: { method: string }) => <span class="method">{method}</span>;
