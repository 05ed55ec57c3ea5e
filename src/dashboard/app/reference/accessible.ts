/**
 * Adds accessibility that Swagger UI lacks: names, landmarks, and the order of headings. It may redraw at any time, so
 * the page is checked after every change.
 */
const MISSING: readonly (readonly [selector: string, attributes: Readonly<Record<string, string>>])[] = [
  ['#servers', { 'aria-label': 'Server' }],
  ['.examples-select-element', { 'aria-label': 'Example' }],
  ['select.content-type, .response-control-media-type select', { 'aria-label': 'Media type' }],
  ['textarea', { 'aria-label': 'Request body' }],
  ['.parameters select', { 'aria-label': 'Value' }],
  // One level below the title, and so on.
  ['h3', { 'aria-level': '2' }],
  ['h4', { 'aria-level': '3' }],
  ['h5', { 'aria-level': '4' }],
  ['.information-container', { role: 'region', 'aria-label': 'About this document' }],
  ['.schemes-server-container', { role: 'region', 'aria-label': 'Server and key' }],
];

/** Watches a part of the page for its whole lifetime. */
export function makeAccessible(part: HTMLElement): void {
  const mend = (): void => {
    for (const [selector, attributes] of MISSING) {
      for (const element of part.querySelectorAll(selector)) complete(element, attributes);
    }
    // Each operation has one of these: its id makes it unique.
    for (const table of part.querySelectorAll('.responses-table'))
      complete(table, { 'aria-label': `Responses, ${table.id}` });
  };
  new MutationObserver(mend).observe(part, { childList: true, subtree: true });
}

/** Sets missing attributes. */
function complete(element: Element, attributes: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (!element.hasAttribute(name)) element.setAttribute(name, value);
  }
}
