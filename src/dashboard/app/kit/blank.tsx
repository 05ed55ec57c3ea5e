/** The shape of a view while its content is on its way: a large part, and rows. */
export const Blank = ({ rows }: { rows: number }) => (
  <div class="blank" aria-hidden="true">
    <div class="tall" />
    {Array.from({ length: rows }, (_, index) => (
      <div key={index} />
    ))}
  </div>
);
