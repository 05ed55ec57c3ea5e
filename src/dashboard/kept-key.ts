/** This tab's key, in the tab's own storage: never in an address or a cookie. */
const SLOT = 'petstore-sandbox-key';

export const keptKey = (): string | undefined => sessionStorage.getItem(SLOT) ?? undefined;

export function keepKey(key: string | undefined): void {
  if (key === undefined) sessionStorage.removeItem(SLOT);
  else sessionStorage.setItem(SLOT, key);
}
