/** Below which path people reach this instance, without a slash at its end: `/earshot`, or nothing where it has a host of its own. */
export const basePathOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, '');

/** The address within the application, whether the proxy in front leaves the base path in it or strips it. */
export function withinBase(url: string, basePath: string): string {
  if (basePath === '' || !url.startsWith(basePath)) return url;
  const rest = url.slice(basePath.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : url;
}

/** A page with its own addresses below the base path: those of a page several levels deep can't be relative. */
export const pageBelow = (html: string, basePath: string): string =>
  html.replaceAll(/\b(href|src)="\.?\/(?!\/)/g, `$1="${basePath}/`).replace('data-base=""', `data-base="${basePath}"`);
