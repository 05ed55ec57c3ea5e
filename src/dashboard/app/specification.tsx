/** The specification of the interface, line by line, with the line that a violation points to. */
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useLoaded } from './kit/async.ts';
import { Trouble } from './kit/trouble.tsx';
import { REFERENCE } from './route.ts';
import { openClient } from './session.ts';
import { jsonLines } from './traffic/lines.ts';

/** @param pointer without its beginning: `components/schemas/NewPet/required` */
export function Specification({ pointer }: { pointer: string }) {
  const { value, error, reload } = useLoaded(() => openClient().text('GET /openapi.json'), []);
  const lines = useMemo(() => (value === undefined ? [] : (jsonLines(value) ?? [])), [value]);
  const place = placeOf(pointer);
  const found = lines.findIndex((line) => line.place === place);
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => shown.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' }), [found]);
  return (
    <section class="message document" aria-label="Specification">
      <header>
        <h1>Specification</h1>
        <a href={`${REFERENCE}#interface`}>Reference</a>
      </header>
      <Trouble error={error} retry={reload} />
      <div class="lines" ref={shown}>
        {lines.map((each, index) => (
          <div
            key={index}
            class={index === found ? 'line found' : 'line'}
            aria-current={index === found ? 'location' : undefined}
          >
            <code style={{ paddingInlineStart: `${each.indent * 1.5}em` }}>
              {each.pieces.map(({ kind, text }, at) => (
                <span key={at} class={kind}>
                  {text}
                </span>
              ))}
            </code>
          </div>
        ))}
      </div>
    </section>
  );
}

/** A line's place has the names as they are; a pointer in an address has them escaped. */
const placeOf = (pointer: string): string =>
  ['body', ...pointer.split('/')]
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('/');
