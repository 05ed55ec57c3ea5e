/**
 * What Swagger UI leaves out for those who do not see the page: names, landmarks, and the order of headings. It draws
 * anew at any time, so what it draws is looked at each time.
 */
const MISSING: readonly (readonly [selector: string, attributes: Readonly<Record<string, string>>])[] = [
  ['#servers', { 'aria-label': 'Server' }],
  ['.examples-select-element', { 'aria-label': 'Example' }],
  ['select.content-type, .response-control-media-type select', { 'aria-label': 'Media type' }],
  ['textarea', { 'aria-label': 'Request body' }],
  ['.parameters select', { 'aria-label': 'Value' }],
  // One below the title, and so on.
  ['h3', { 'aria-level': '2' }],
  ['h4', { 'aria-level': '3' }],
  ['h5', { 'aria-level': '4' }],
  ['.information-container', { role: 'region', 'aria-label': 'About this document' }],
  ['.schemes-server-container', { role: 'region', 'aria-label': 'Server and key' }],
];

/** Watches a part of the page as long as the page is there. */
export function makeAccessible(part: HTMLElement): void {
  const mend = (): void => {
    for (const [selector, attributes] of MISSING) {
      for (const element of part.querySelectorAll(selector)) complete(element, attributes);
    }
    // Each operation has one of these: its id tells it from the others.
    for (const table of part.querySelectorAll('.responses-table'))
      complete(table, { 'aria-label': `Responses, ${table.id}` });
  };
  new MutationObserver(mend).observe(part, { childList: true, subtree: true });
}

/** Sets what is not there. */
function complete(element: Element, attributes: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (!element.hasAttribute(name)) element.setAttribute(name, value);
  }
}
