// The page inside has an origin of its own and reaches nothing by itself. What its reader sends goes through here: to
// this server alone, with the key that was typed there, and never with the session of this browser.
const page = document.querySelector('iframe');

addEventListener('message', ({ source, data, ports: [port] }) => {
  if (source !== page.contentWindow) return;
  relay(data).then(
    (answer) => port.postMessage(answer),
    (error) => port.postMessage({ failure: String(error) }),
  );
});

async function relay({ url, ...asked }) {
  if (new URL(url).origin !== location.origin) throw new Error('Only this server is asked.');
  const answer = await fetch(url, { ...asked, credentials: 'omit', redirect: 'error' });
  const { status, statusText } = answer;
  return { status, statusText, headers: [...answer.headers], body: await answer.arrayBuffer() };
}
