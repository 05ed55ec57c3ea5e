/** A specification that cannot be used. The message names the place in it. */
export class DraftError extends Error {
  override readonly name = 'DraftError';
}
