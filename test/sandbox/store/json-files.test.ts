import { newFolder } from '../../support/folder.ts';
import { conformance } from './conformance.ts';
import { openFiles } from './support.ts';

conformance({ kind: 'json-files', depth: 200 }, async (limits) => openFiles(await newFolder(), limits));
