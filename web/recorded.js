// Before the app: every request that it sends is answered from the files beside this one, as a server answered it once.
const send = window.fetch.bind(window);
const answers = send(new URL('answers/index.json', document.baseURI)).then((index) => index.json());

const refusal = (status, type, code, message) =>
  Response.json({ error: { type, code, message, param: null, requestId: null } }, { status });

window.fetch = async (input, init) => {
  const request = new Request(input, init);
  const { pathname, search, origin } = new URL(request.url);
  if (origin !== location.origin) return send(request);
  // Nothing happens any more: a stream that tells nothing, and never ends.
  if (pathname === '/app/events') {
    return new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } });
  }
  const isRead = request.method === 'GET' || pathname === '/app/session';
  if (!isRead) {
    return refusal(
      403,
      'permission_error',
      'recorded',
      'This is a recording of the demo: nothing can be changed in it.',
    );
  }
  const found = (await answers)[`${pathname}${search}`];
  if (found === undefined)
    return refusal(404, 'not_found_error', 'not_recorded', 'This page of the demo is not recorded.');
  const [file, type] = found;
  const kept = await send(new URL(`answers/${file}`, document.baseURI));
  return new Response(kept.body, { headers: { 'content-type': type } });
};
