/** Parts of the page that are loaded after the first view, so that they are there when the server is not. */
import type { ComponentType } from 'preact';
import { useLoaded } from './action.ts';
import { Blank, Trouble } from './trouble.tsx';

export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  const loading = async () => {
    loaded ??= await load();
    return { loaded };
  };
  addEventListener('load', () => void loading().catch(() => undefined));
  return (props) => {
    const { value, error, reload } = useLoaded(loading, []);
    const Part = loaded ?? value?.loaded;
    return Part ? <Part {...props} /> : error === undefined ? <Blank /> : <Trouble error={error} retry={reload} />;
  };
}
