/** Takes a recording that is dropped anywhere on the page. */
import { useEffect, useState } from 'preact/hooks';
import { useAnnounce } from '../kit/announce.tsx';
import { useAction } from '../kit/async.ts';
import { Trouble } from '../kit/trouble.tsx';
import type { Session } from '../session.ts';
import { openRecording } from './recording-picker.tsx';

export function RecordingDrop({ onOpen }: { onOpen: (session: Session) => void }) {
  const announce = useAnnounce();
  const { run, isBusy, error } = useAction();
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      // Otherwise the browser would open the file in place of the page.
      event.preventDefault();
      setOver(true);
    };
    const leave = ({ relatedTarget }: DragEvent): void => setOver(relatedTarget !== null);
    const drop = (event: DragEvent): void => {
      const files = event.dataTransfer?.files;
      setOver(false);
      if (!files || files.length === 0) return;
      event.preventDefault();
      void run(async () => {
        const session = await openRecording(files);
        onOpen(session);
        announce(`Opened ${session.sandbox.label ?? 'the recording'} as a new sandbox.`);
      });
    };
    document.addEventListener('dragover', over);
    document.addEventListener('dragleave', leave);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', over);
      document.removeEventListener('dragleave', leave);
      document.removeEventListener('drop', drop);
    };
  }, [run, onOpen, announce]);
  if (!isOver && !isBusy && error === undefined) return null;
  return (
    <div class="drop">
      {isOver || isBusy ? (
        <p class="toast">{isBusy ? 'Opening the recording' : 'Drop the recording to open it'}</p>
      ) : null}
      <Trouble error={error} />
    </div>
  );
}
