// The first step of `npm start`, `npm test`, `npm run check`, `bench` and `eval`. It runs on whatever Node the machine
// has, before anything is installed: the version comes first, and everything else is loaded only after it.
const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 20) {
  process.stderr.write(
    `Earshot needs Node 20 or later and this is Node ${process.versions.node}: install a newer one from nodejs.org, then try again.\n`,
  );
  process.exitCode = 1;
} else {
  void import('./launch.js').then(({ launch }) => launch(process.argv[2] ?? 'up', process.argv.slice(3)));
}
