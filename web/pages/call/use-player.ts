import { useMutation } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { createStore, type Store } from '../../client/store.ts';
import { loadRecording, type RecordingPath } from './load-recording.ts';

/** A recording and where it is being played. */
export interface Player {
  audio: RefObject<HTMLAudioElement | null>;
  /** Of what was loaded; null before. */
  address: string | null;
  /** How much has come, between 0 and 1; null while nothing comes. */
  share: number | null;
  error: unknown;
  load: () => void;
  /** Milliseconds from the start of the call; null before it is first played. What moves with it follows this store. */
  head: Store<number | null>;
  /** Nothing happens before it is loaded. */
  playFrom: (ms: number) => void;
  toggle: () => void;
}

export function usePlayer(path: RecordingPath): Player {
  const audio = useRef<HTMLAudioElement>(null);
  const [head] = useState(() => createStore<number | null>(null));
  const [share, setShare] = useState(0);
  const loading = useMutation({
    mutationFn: async () => URL.createObjectURL(await loadRecording(path, setShare)),
  });
  const address = loading.data ?? null;
  useEffect(() => () => URL.revokeObjectURL(address ?? ''), [address]);
  return {
    audio,
    address,
    share: loading.isPending ? share : null,
    error: loading.error,
    load: () => loading.mutate(),
    head,
    playFrom(ms) {
      const element = audio.current;
      if (!element) return;
      element.currentTime = ms / 1000;
      void element.play();
    },
    toggle() {
      const element = audio.current;
      if (element?.paused) void element.play();
      else element?.pause();
    },
  };
}
