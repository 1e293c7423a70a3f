/** As in the console: console/src/theme/icon.svg. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>Rapport</title><rect width="32" height="32" rx="8" fill="#5151cd"/><path d="M10 23V9.5h6.6c2.9 0 4.9 1.8 4.9 4.4 0 2-1.2 3.5-3 4.1L22 23m-12-5h7" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
