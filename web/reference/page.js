// This page belongs into the frame that asks the server for it.
if (parent === window) location.replace('../reference');

// It has an origin of its own, and with that no storage: what it would keep there lasts as long as it is open.
const kept = new Map();
Object.defineProperty(window, 'localStorage', {
  value: {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => kept.set(name, String(value)),
    removeItem: (name) => kept.delete(name),
  },
});

/** As `fetch` does, through the frame around this page. */
async function ask(input, init) {
  const request = new Request(input, init);
  const { url, method, headers } = request;
  const body = method === 'GET' || method === 'HEAD' ? undefined : await request.arrayBuffer();
  const { port1: answers, port2 } = new MessageChannel();
  const answered = new Promise((resolve) => {
    answers.addEventListener('message', ({ data }) => resolve(data), { once: true });
    answers.start();
  });
  // Whoever frames this page is the server itself: the content policy lets nobody else.
  parent.postMessage({ url, method, headers: [...headers], body }, '*', [port2]);
  const { failure, body: text, ...answer } = await answered;
  if (failure !== undefined) throw new TypeError(failure);
  return new Response(text.byteLength === 0 ? null : text, answer);
}

addEventListener('DOMContentLoaded', () => {
  window.Scalar.createApiReference('#reference', {
    sources: [
      { title: 'Earshot API', slug: 'api', url: new URL('openapi.json', location.href).href },
      { title: 'For its own clients', slug: 'app', url: new URL('app.json', location.href).href },
    ],
    customFetch: ask,
    withDefaultFonts: false,
    hideClientButton: true,
    telemetry: false,
    // What the page offers beside the reference talks to its maker's hosts.
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
  });
});
