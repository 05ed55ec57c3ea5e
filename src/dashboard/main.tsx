/** The dashboard: one page, mounted in `index.html`. */
import { render } from 'preact';
import { Dashboard } from './app.tsx';

render(<Dashboard />, document.getElementById('app') as HTMLElement);
