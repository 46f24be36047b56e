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
  /** At once where it is loaded, else as soon as it is. */
  playFrom: (ms: number) => void;
  /** Once the element knows how long the recording is: before that, it may drop where it is sent. */
  onReady: () => void;
  toggle: () => void;
}

/** @param from where it begins to play once it is loaded, in milliseconds. */
export function usePlayer(path: RecordingPath, from: number): Player {
  const audio = useRef<HTMLAudioElement>(null);
  const [head] = useState(() => createStore<number | null>(null));
  const wanted = useRef<number | null>(from);
  const [share, setShare] = useState(0);
  const loading = useMutation({
    mutationFn: async () => URL.createObjectURL(await loadRecording(path, setShare)),
  });
  const address = loading.data ?? null;
  useEffect(() => () => URL.revokeObjectURL(address ?? ''), [address]);
  const playWanted = () => {
    const element = audio.current;
    if (!element || element.readyState < HTMLMediaElement.HAVE_METADATA || wanted.current === null) return;
    element.currentTime = wanted.current / 1000;
    wanted.current = null;
    void element.play();
  };
  return {
    audio,
    address,
    share: loading.isPending ? share : null,
    error: loading.error,
    load: () => loading.mutate(),
    head,
    playFrom(ms) {
      wanted.current = ms;
      playWanted();
    },
    onReady: playWanted,
    toggle() {
      const element = audio.current;
      if (element?.paused) void element.play();
      else element?.pause();
    },
  };
}
