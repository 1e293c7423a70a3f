// Runs before anything is painted: applies the colours chosen in the console and the language chosen here, and decides
// whether elements that need scripts are shown at all.
{
  const root = document.documentElement;
  root.classList.add('js');
  try {
    const scheme = localStorage.getItem('rapport-color-scheme');
    if (scheme === 'light' || scheme === 'dark') root.dataset.scheme = scheme;
    const language = localStorage.getItem('rapport-reference-language');
    if (language) root.dataset.language = language;
  } catch {
    // A browser without storage: the page follows the system.
  }
}
