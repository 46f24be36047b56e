// Before the first paint, so that a fixed theme never flashes the other one.
const fixed = localStorage.getItem('earshot.theme');
if (fixed === 'light' || fixed === 'dark') document.documentElement.dataset.theme = fixed;
