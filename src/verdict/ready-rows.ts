/** The rows of `ready`, by the names with which `--not-applicable` leaves them out. */
export const READY_ROWS = ['specification', 'responses', 'failures', 'change', 'ids'] as const;
export type ReadyRow = (typeof READY_ROWS)[number];
