import { type ReactNode, useEffect, useRef } from 'react';

interface PageProps {
  title: string;
  /** Above the title: where one is. */
  above?: ReactNode;
  below?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** The head of a page; arriving moves the focus to its title, which readers of the screen then hear. */
export function Page({ title, above, below, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Earshot`;
  }, [title]);
  useEffect(() => {
    // An address that points into the page has its own place for the focus.
    if (location.hash === '') heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className="mx-auto w-full max-w-[1280px] px-4 pt-5 pb-16 @page-md:px-6">
      <header className="mb-5">
        {above && <div className="mb-1 flex flex-wrap items-center gap-x-2 text-sm text-ink-2">{above}</div>}
        <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
          <div className="min-w-0 flex-1 basis-72">
            <h1 ref={heading} tabIndex={-1} className="text-xl font-semibold break-words text-balance">
              {title}
            </h1>
            {below && <div className="mt-1 max-w-[100ch] text-sm text-ink-2">{below}</div>}
          </div>
          {actions && <div className="flex flex-wrap items-center gap-2 @page-md:ml-auto">{actions}</div>}
        </div>
      </header>
      {children}
    </div>
  );
}
