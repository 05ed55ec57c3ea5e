/** Filters the displayed exchanges. */
import { operationNames } from '../../../generated/facts.ts';
import type { Summary } from './live.ts';

export interface Filter {
  readonly operation: string;
  /** `''` for all, `4xx` for a class, `404` for one. */
  readonly status: string;
  readonly onlyFindings: boolean;
}

export const ALL: Filter = { operation: '', status: '', onlyFindings: false };

/** The value for exchanges without a matching operation. */
const NONE = 'none';

export const matches = ({ operation, status, onlyFindings }: Filter, exchange: Summary): boolean =>
  (operation === '' || (exchange.operation ?? NONE) === operation) &&
  (status === '' ||
    (status.endsWith('xx') ? status[0] === String(exchange.status)[0] : status === String(exchange.status))) &&
  (!onlyFindings || exchange.violations.length > 0);

interface FilterBarProps {
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
  readonly exchanges: readonly Summary[];
  readonly shown: number;
}

export function FilterBar({ filter, onChange, exchanges, shown }: FilterBarProps) {
  const statuses = [...new Set(exchanges.map(({ status }) => status))].sort((a, b) => a - b);
  const classes = [...new Set(statuses.map((status) => `${String(status)[0]}xx`))];
  return (
    <search class="filters">
      <label>
        <span>Operation</span>
        <select
          value={filter.operation}
          onChange={({ currentTarget }) => onChange({ ...filter, operation: currentTarget.value })}
        >
          <option value="">All</option>
          {operationNames.map((name) => (
            <option key={name}>{name}</option>
          ))}
          <option value={NONE}>No operation</option>
        </select>
      </label>
      <label>
        <span>Status</span>
        <select
          value={filter.status}
          onChange={({ currentTarget }) => onChange({ ...filter, status: currentTarget.value })}
        >
          <option value="">All</option>
          {[...classes, ...statuses].map((status) => (
            <option key={status}>{status}</option>
          ))}
          {filter.status !== '' && ![...classes, ...statuses].some((each) => String(each) === filter.status) && (
            <option>{filter.status}</option>
          )}
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={filter.onlyFindings}
          onChange={({ currentTarget }) => onChange({ ...filter, onlyFindings: currentTarget.checked })}
        />
        Violations only
      </label>
      <span class="count">{shown === exchanges.length ? shown : `${shown} of ${exchanges.length}`}</span>
    </search>
  );
}
