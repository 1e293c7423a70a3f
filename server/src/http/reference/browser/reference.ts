// The page comes complete from the server; this makes it interactive.
import { followReader, setUpMenu } from './contents.js';
import { setUpCopying } from './copy.js';
import { setUpLanguages } from './languages.js';
import { setUpSearch } from './search.js';
import { setUpTrying } from './try-it.js';

setUpLanguages();
setUpCopying();
setUpMenu();
followReader();
setUpSearch();
setUpTrying();
