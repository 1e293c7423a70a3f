// Runs before anything is painted: the colours that somebody chose in the console, the language that they chose here, and
// whether what needs a script is shown at all.
{
  const root = document.documentElement;
  root.classList.add('js');
  try {
    const scheme = localStorage.getItem('rapport-color-scheme');
    if (scheme === 'light' || scheme === 'dark') root.dataset.scheme = scheme;
    const language = localStorage.getItem('rapport-reference-language');
    if (language) root.dataset.language = language;
  } catch {
    // A browser that keeps nothing: the page is as the system has it.
  }
}
