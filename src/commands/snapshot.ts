/** `petstore-sandbox snapshot`: named states of a sandbox. */

import { counted, table } from '../client/text.ts';
import type { CommandRun } from './connection.ts';

/** Names the present state. */
export const save: CommandRun<object> = async ({ client, args: [name = ''], out }) => {
  const saved = await client.ask('POST /snapshots', { body: { name } });
  out.show(saved, () => [`saved ${saved.name}: ${counted(saved.pets, 'pet')}`]);
  return undefined;
};

export const list: CommandRun<object> = async ({ client, out }) => {
  const answer = await client.ask('GET /snapshots');
  out.show(answer, () => [
    ...table([
      ['NAME', 'FIXTURE', 'PETS', 'CREATED'],
      ...answer.snapshots.map(({ name, fixture, pets, createdAt }) => [name, fixture, pets, createdAt]),
    ]),
    counted(answer.snapshots.length, 'snapshot'),
  ]);
  return undefined;
};

export const drop: CommandRun<object> = async ({ client, args: [name = ''], out }) => {
  await client.ask('DELETE /snapshots/{name}', { params: { name } });
  out.show({ dropped: name }, () => [`dropped ${name}`]);
  return undefined;
};
