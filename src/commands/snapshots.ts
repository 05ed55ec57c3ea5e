/** `petstore-sandbox snapshots`: named states of a sandbox. */

import { counted, table } from '../client/text.ts';
import type { CommandRun } from './connection.ts';

/** Saves the present state under a name. */
export const save: CommandRun<object> = async ({ client, args: [name = ''], out }) => {
  const saved = await client.request('POST /snapshots', { body: { name } });
  out.show(saved, () => [`saved ${saved.name}: ${counted(saved.pets, 'pet')}`]);
  return undefined;
};

export const list: CommandRun<object> = async ({ client, out }) => {
  const response = await client.request('GET /snapshots');
  out.show(response, () => [
    ...table([
      ['NAME', 'FIXTURE', 'PETS', 'CREATED'],
      ...response.snapshots.map(({ name, fixture, pets, createdAt }) => [name, fixture, pets, createdAt]),
    ]),
    counted(response.snapshots.length, 'snapshot'),
  ]);
  return undefined;
};

export const remove: CommandRun<object> = async ({ client, args: [name = ''], out }) => {
  await client.request('DELETE /snapshots/{name}', { params: { name } });
  out.show({ deleted: name }, () => [`deleted ${name}`]);
  return undefined;
};
