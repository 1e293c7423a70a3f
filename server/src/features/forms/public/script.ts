// The one script of forms, for their pages and for sites that embed them: it answers the challenge when a form is sent. Small and plain: it runs in any
// browser, also on sites without https, where the browser's own hashes are missing.

export const scriptPath = '/f/form.js';

export const formScript = `(function () {
'use strict';
var K = [], H = [];
(function () {
  for (var n = 2; K.length < 64; n++) {
    for (var d = 2; d * d <= n && n % d; d++);
    if (d * d <= n) continue;
    if (H.length < 8) H.push(part(Math.pow(n, 1 / 2)));
    K.push(part(Math.pow(n, 1 / 3)));
  }
  function part(x) { return ((x - Math.floor(x)) * 4294967296) | 0; }
})();
/* SHA-256 of ASCII text, in hex. */
function sha(text) {
  var words = [], length = text.length, i, j, h = H.slice(), w = new Array(64);
  for (i = 0; i < length; i++) words[i >> 2] |= text.charCodeAt(i) << (24 - (i % 4) * 8);
  words[length >> 2] |= 128 << (24 - (length % 4) * 8);
  var end = (((length + 8) >> 6) << 4) + 15;
  words[end] = length * 8;
  for (i = 0; i < end; i += 16) {
    var s = h.slice();
    for (j = 0; j < 64; j++) {
      if (j < 16) w[j] = words[i + j] | 0;
      else {
        var a = w[j - 15], b = w[j - 2];
        w[j] = (w[j - 16] + w[j - 7] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10))) | 0;
      }
      var e = s[4], c = s[0];
      var x = (s[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & s[5]) ^ (~e & s[6])) + K[j] + w[j]) | 0;
      var y = ((turn(c, 2) ^ turn(c, 13) ^ turn(c, 22)) + ((c & s[1]) ^ (c & s[2]) ^ (s[1] & s[2]))) | 0;
      s = [(x + y) | 0, c, s[1], s[2], (s[3] + x) | 0, e, s[5], s[6]];
    }
    for (j = 0; j < 8; j++) h[j] = (h[j] + s[j]) | 0;
  }
  return h.map(function (v) { return ('0000000' + (v >>> 0).toString(16)).slice(-8); }).join('');
}
function turn(v, n) { return (v >>> n) | (v << (32 - n)); }
/* Tries some numbers, lets the page breathe, and goes on. */
function solve(c, from, done) {
  for (var n = from; n < from + 2000; n++) {
    if (n > c.maxnumber) return done('');
    if (sha(c.salt + n) === c.challenge)
      return done(btoa(JSON.stringify({ algorithm: c.algorithm, challenge: c.challenge, number: n, salt: c.salt, signature: c.signature })));
  }
  setTimeout(function () { solve(c, n, done); }, 0);
}
function challengeOf(form, done) {
  var given = form.getAttribute('data-challenge');
  if (given) return done(JSON.parse(given));
  /* Not form.action, which may be a field of that name. */
  fetch((form.getAttribute('action') || location.href).split('?')[0] + '/challenge').then(function (r) { return r.json(); }).then(done, function () { done(null); });
}
function send(form) {
  if (form.rapportBusy) return;
  form.rapportBusy = true;
  challengeOf(form, function (c) {
    if (!c) return go('');
    solve(c, 0, go);
  });
  function go(answer) {
    form.rapportBusy = false;
    var field = form.querySelector('input[name=altcha]') || form.appendChild(document.createElement('input'));
    field.type = 'hidden';
    field.name = 'altcha';
    field.value = answer;
    HTMLFormElement.prototype.submit.call(form);
  }
}
function start() {
  var forms = document.querySelectorAll('form[data-rapport-form]');
  for (var i = 0; i < forms.length; i++) watch(forms[i]);
}
/* Hidden fields take what the query of the page says, unless they have a value. */
function fill(form) {
  var query = new URLSearchParams(location.search), fields = form.querySelectorAll('input[type=hidden]');
  for (var i = 0; i < fields.length; i++) fields[i].value = fields[i].value || query.get(fields[i].name) || '';
}
function watch(form) {
  if (form.rapportSeen) return;
  form.rapportSeen = true;
  if (!form.hasAttribute('data-rapport-now')) fill(form);
  form.addEventListener('submit', function (event) {
    event.preventDefault();
    send(form);
  });
  if (form.hasAttribute('data-rapport-now')) send(form);
}
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start);
else start();
})();
`;
