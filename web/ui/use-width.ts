import { type RefObject, useEffectEvent, useLayoutEffect, useState } from 'react';

/** What follows from the pixels that an element is wide; before it is laid out, from those of the window. */
export function useWidth<T>(element: RefObject<HTMLElement | null>, read: (width: number) => T): T {
  const [value, setValue] = useState(() => read(innerWidth));
  const onResize = useEffectEvent((width: number) => setValue(() => read(Math.floor(width))));
  useLayoutEffect(() => {
    if (!element.current) return undefined;
    const observer = new ResizeObserver(([entry]) => onResize(entry?.contentRect.width ?? innerWidth));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return value;
}
