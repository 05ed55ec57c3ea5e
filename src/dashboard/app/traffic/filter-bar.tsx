/** The fields of the filter. */
import { operationNames } from '../../../generated/facts.ts';
import { setQuery } from '../route.ts';
import { type Filter, KINDS, NONE, queryOf } from './filter.ts';
import type { Entry } from './kept.ts';

interface FilterBarProps {
  readonly filter: Filter;
  readonly entries: readonly Entry[];
}

export function FilterBar({ filter, entries }: FilterBarProps) {
  const set = (change: Partial<Filter>): void => setQuery(queryOf({ ...filter, ...change }));
  const statuses = [...new Set(entries.map(({ status }) => status))].sort((a, b) => a - b).map(String);
  const classes = [...new Set(statuses.map((status) => `${status[0]}xx`))];
  const known = [...classes, ...statuses];
  return (
    <search class="filters">
      <label class="search">
        <span>Search</span>
        <input
          type="search"
          value={filter.text}
          placeholder="Path, body, finding"
          maxLength={200}
          onInput={({ currentTarget }) => set({ text: currentTarget.value })}
        />
      </label>
      <Choice label="Operation" value={filter.operation} onChange={(operation) => set({ operation })}>
        {[...operationNames.map((name) => [name, name] as const), [NONE, 'No operation']]}
      </Choice>
      <Choice label="Status" value={filter.status} onChange={(status) => set({ status })}>
        {(filter.status === '' || known.includes(filter.status) ? known : [...known, filter.status]).map(
          (status) => [status, status] as const,
        )}
      </Choice>
      <Choice label="Show" value={filter.show} onChange={(show) => set({ show })}>
        {Object.entries(KINDS).map(([name, [label]]) => [name, label] as const)}
      </Choice>
    </search>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly children: readonly (readonly [value: string, label: string])[];
}

const Choice = ({ label, value, onChange, children }: ChoiceProps) => (
  <label>
    <span>{label}</span>
    <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      <option value="">All</option>
      {children.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  </label>
);
