/** Counts as bars, without axes: the numbers are told in words beside it. */
const WIDTH = 96;
const HEIGHT = 24;

export function Sparkline({ counts }: { counts: readonly number[] }) {
  const most = Math.max(1, ...counts);
  const step = WIDTH / counts.length;
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
      {counts.map((count, index) => {
        const height = count === 0 ? 1 : Math.max(3, (count / most) * HEIGHT);
        return <rect key={index} x={index * step} y={HEIGHT - height} width={step - 1} height={height} />;
      })}
    </svg>
  );
}
