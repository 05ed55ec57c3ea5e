/** The address of an operation: `#interface/createPet` opens it, and opening it makes that the address. */

const blockOf = (part: HTMLElement, operation: string): HTMLElement | undefined =>
  [...part.querySelectorAll<HTMLElement>('.opblock')].find(({ id }) => id.endsWith(`-${operation}`));

/** Waits for the operation, because Swagger UI draws when it likes; another address ends that. */
export function openOperation(part: HTMLElement, operation: string): void {
  const open = (): boolean => {
    const block = blockOf(part, operation);
    if (!block) return false;
    if (!block.classList.contains('is-open')) block.querySelector<HTMLElement>('.opblock-summary-control')?.click();
    block.scrollIntoView();
    return true;
  };
  if (open()) return;
  const watching = new MutationObserver(() => open() && watching.disconnect());
  watching.observe(part, { childList: true, subtree: true });
  addEventListener('hashchange', () => watching.disconnect(), { once: true });
}

/** @param specification the first part of the address */
export function followOperations(part: HTMLElement, specification: () => string): void {
  part.addEventListener('click', ({ target }) => {
    const block = target instanceof Element && target.closest('.opblock-summary-control')?.closest('.opblock');
    if (!block) return;
    const operation = block.id.split('-').at(-1);
    const isOpening = !block.classList.contains('is-open');
    history.replaceState(null, '', isOpening ? `${specification()}/${operation}` : specification());
  });
}
