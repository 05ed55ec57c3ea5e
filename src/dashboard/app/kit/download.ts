/** Offers a text as a file. */

/** The key is sent in a header, which a link cannot do: the page fetches the text itself. */
export function offerFile(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text]));
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  // Some browsers read the object URL only after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
