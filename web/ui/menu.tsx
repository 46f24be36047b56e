import {
  type ComponentProps,
  cloneElement,
  type DOMAttributes,
  type ReactElement,
  type ReactNode,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type * as MenuParts from './menu-list.tsx';

type Parts = typeof MenuParts;

let parts: Parts | undefined;

async function load(): Promise<Parts> {
  parts ??= await import('./menu-list.tsx');
  return parts;
}

/** Only in a menu's list, which is there once its parts are. */
export const MenuItem = (props: ComponentProps<Parts['MenuItem']>) => parts && <parts.MenuItem {...props} />;
export const MenuLine = () => parts && <parts.MenuLine />;

type Trigger = ReactElement<DOMAttributes<HTMLElement> & { 'aria-haspopup'?: 'menu'; 'aria-expanded'?: boolean }>;

/** A button that opens a list of things to do or to choose. The list's code comes once somebody reaches for one. */
export function Menu({ trigger, children }: { trigger: Trigger; children: ReactNode }) {
  const place = useRef<HTMLSpanElement>(null);
  const [isPressed, setPressed] = useState(false);
  const [hadFocus, setHadFocus] = useState(false);
  const [List, setList] = useState(() => parts?.MenuList);

  // The button is another one once the list is there.
  useLayoutEffect(() => {
    if (List && hadFocus) place.current?.querySelector<HTMLElement>('[aria-haspopup]')?.focus();
  }, [List, hadFocus]);

  const reach = async ({ currentTarget: button }: { currentTarget: HTMLElement }) => {
    // A line that broke may hold the next time.
    const loaded = await load().catch(() => null);
    if (loaded === null || !button.isConnected) return;
    setHadFocus(button.contains(document.activeElement));
    setList(() => loaded.MenuList);
  };
  const press = (event: { currentTarget: HTMLElement }) => {
    setPressed(true);
    void reach(event);
  };
  const waiting = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: (event) => void reach(event),
    onFocus: (event) => void reach(event),
    onPointerDown: press,
    onClick: press,
  });
  return (
    <span ref={place} className="contents">
      {List ? (
        <List trigger={trigger} isOpen={isPressed}>
          {children}
        </List>
      ) : (
        waiting
      )}
    </span>
  );
}
