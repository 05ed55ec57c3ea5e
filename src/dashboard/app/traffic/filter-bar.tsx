/** The fields of the filter. */
import { useLayoutEffect, useRef } from 'preact/hooks';
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
      <Search text={filter.text} onType={(text) => set({ text })} />
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

/** The address follows what is typed a moment later; the field keeps what was typed meanwhile. */
function Search({ text, onType }: { text: string; onType: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const field = input.current;
    if (field && field !== document.activeElement) field.value = text;
  }, [text]);
  return (
    <label class="search">
      <span>Search</span>
      <input
        ref={input}
        type="search"
        placeholder="Path, body, finding"
        maxLength={200}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
    </label>
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
