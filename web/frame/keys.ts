import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import { toggleCopilot } from './copilot-open.ts';
import { PLACES } from './places.ts';

const TYPES_INTO = /^(INPUT|TEXTAREA|SELECT)$/;
const SECOND_KEY_WITHIN_MS = 1_500;

/** Keys that work on every page: the palette, the list of keys, and `g` and a letter to go somewhere. */
export function useKeys({ openPalette, openKeys }: { openPalette: () => void; openKeys: () => void }): void {
  const navigate = useNavigate();
  const { agentId } = useParams({ strict: false });
  const beganAt = useRef(0);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key === 'k') return act(event, openPalette);
      if (isTyping(event)) return undefined;
      if (event.key === '/') return act(event, openPalette);
      if (event.key === '?') return act(event, openKeys);
      if (event.key === '.') return act(event, toggleCopilot);
      const goes = event.timeStamp - beganAt.current < SECOND_KEY_WITHIN_MS;
      beganAt.current = event.key === 'g' ? event.timeStamp : 0;
      const place = goes && PLACES.find(({ key }) => key === event.key);
      if (place && agentId) return act(event, () => void navigate({ to: place.to, params: { agentId } }));
      return undefined;
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [openPalette, openKeys, navigate, agentId]);
}

/** A single key on the page that is shown. */
export function useKey(keys: Record<string, () => void>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const action = keys[event.key];
    if (action && !isTyping(event) && !isPressing(event)) act(event, action);
  });
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

function act(event: KeyboardEvent, action: () => void): void {
  event.preventDefault();
  action();
}

/** The space bar presses what has the focus, but for turns of a call: there it plays and pauses. */
function isPressing({ key, target }: KeyboardEvent): boolean {
  if (key !== ' ' || !(target instanceof HTMLElement)) return false;
  return target.closest('a, button, summary, audio') !== null && target.closest('[data-turns]') === null;
}

function isTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return true;
  return (
    event.target instanceof HTMLElement && (TYPES_INTO.test(event.target.tagName) || event.target.isContentEditable)
  );
}
