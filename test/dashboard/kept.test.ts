/** The count of the traffic: every exchange once, whether a page of the request log or an event tells of it first. */
import { expect, it } from 'vitest';
import { NOTHING_KEPT, type Summary, withArrivals, withoutGone, withPage } from '../../src/dashboard/live/kept.ts';

/** Exchange number n, answered at its second. */
const exchange = (n: number): Summary => {
  const at = new Date(Date.UTC(2026, 2, 2, 9, 30, n)).toISOString();
  return { id: `req_${n}`, at, respondedAt: at } as Summary;
};
const page = (newest: number, length: number, counted: number | undefined, isLast = true) => {
  const requests = Array.from({ length }, (_, index) => exchange(newest - index));
  return { requests, counted, last: requests.at(-1)?.id, isLast };
};
const reading = { ...NOTHING_KEPT, meanwhile: [] };

it('does not count an event again that the page counted and did not list', () => {
  const read = withPage(reading, page(20, 2, 20, false));
  const told = withArrivals(read, [exchange(17), exchange(18), exchange(19), exchange(20), exchange(21)]);
  expect(told.total).toBe(21);
  expect(told.exchanges.map(({ id }) => id).slice(0, 3)).toEqual(['req_21', 'req_20', 'req_19']);
  const together = { ...exchange(20), id: 'req_20b' };
  expect(withArrivals(read, [together]).total).toBe(21);
});

it('counts what came while the page was being read, once', () => {
  const told = withArrivals(reading, [exchange(19), exchange(20), exchange(21), exchange(22)]);
  expect(withPage(told, page(20, 2, 20)).total).toBe(22);
});

it('counts more arrivals than it keeps', () => {
  const many = Array.from({ length: 2_500 }, (_, index) => exchange(index));
  const told = withArrivals(withArrivals(reading, many.slice(0, 1_300)), many.slice(1_300));
  expect(told.exchanges).toHaveLength(1_000);
  expect(withPage(told, page(99, 50, 100)).total).toBe(2_500);
});

it('joins the next pages without counting them, and drops what the request log lost in a restart', () => {
  const first = withPage(reading, page(20, 2, 20, false));
  const whole = withPage(first, page(18, 3, undefined));
  expect([whole.total, whole.isWhole, whole.exchanges.length]).toEqual([20, true, 5]);
  const listed = new Set(['req_20', 'req_19']);
  const old = new Set(['req_20', 'req_18', 'req_17']);
  expect(withoutGone(whole, old, listed).exchanges.map(({ id }) => id)).toEqual(['req_20', 'req_19', 'req_16']);
});
