/**
 * A specification and the code differ, so the server must not start. The program prints the message and exits with 2.
 */
export class SpecificationError extends Error {}
