// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { blocksOfHtml, withoutStyles } from './pasted.ts';

const heading = (level: number, text: string) => ({
  type: 'heading',
  level,
  content: [{ type: 'paragraph', spans: [{ text }] }],
});
const item = (type: string, ...spans: object[]) => ({ type, spans });

it('takes headings, lists and links of Word', () => {
  const word = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal{margin:0}</style></head><body><!--StartFragment-->
<h1 style='mso-line-height-rule:exactly'>Plans for<o:p></o:p>
2027</h1>
<p class=MsoNormal>Read <b>this</b> and <a href="https://example.com/x"><span style='color:blue'>the&nbsp;guide</span></a>.<o:p>&nbsp;</o:p></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>First</p>
<p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>· </span>Second</p>
<p class=MsoListParagraph style='mso-list:l1 level1 lfo2'><span style='mso-list:Ignore'>1.&nbsp; </span>Numbered</p>
<!--EndFragment--></body></html>`;
  expect(blocksOfHtml(word)).toEqual([
    heading(1, 'Plans for 2027'),
    {
      type: 'text',
      content: [
        item(
          'paragraph',
          { text: 'Read ' },
          { text: 'this', bold: true },
          { text: ' and ' },
          { text: 'the guide', href: 'https://example.com/x' },
          { text: '.' },
        ),
        item('bullet', { text: 'First' }),
        item('bullet', { text: 'Second' }),
        item('number', { text: 'Numbered' }),
      ],
    },
  ]);
});

it('takes what Google Docs means, not the bold that it wraps everything in', () => {
  const docs = `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1"><h2 dir="ltr"><span style="font-size:16pt;font-weight:400">Agenda</span></h2><p dir="ltr"><span style="font-weight:400">Plain, </span><span style="font-weight:700;font-style:italic">strong</span></p><ol><li dir="ltr"><p dir="ltr" role="presentation"><span>One</span></p></li><li><p><span style="text-decoration:line-through">Two</span></p></li></ol></b>`;
  expect(blocksOfHtml(docs)).toEqual([
    heading(2, 'Agenda'),
    {
      type: 'text',
      content: [
        item('paragraph', { text: 'Plain, ' }, { text: 'strong', bold: true, italic: true }),
        item('number', { text: 'One' }),
        item('number', { text: 'Two', strike: true }),
      ],
    },
  ]);
});

it('reduces a web page, and takes no script, no style and no link that runs something', () => {
  const page = `<nav><a href="javascript:alert(1)">Home</a></nav><script>alert(1)</script><style>p{}</style>
<article><h4>Small</h4><div>One<br>two</div><hr><table><tr><td>a</td><td>b</td></tr></table><img src=x onerror=alert(1)><ul><li>x<ul><li>deep</li></ul></li></ul></article>`;
  expect(blocksOfHtml(page)).toEqual([
    { type: 'text', content: [item('paragraph', { text: 'Home' })] },
    heading(3, 'Small'),
    { type: 'text', content: [item('paragraph', { text: 'One\ntwo' })] },
    { type: 'divider' },
    {
      type: 'text',
      content: [
        item('paragraph', { text: 'a' }),
        item('paragraph', { text: 'b' }),
        item('bullet', { text: 'x' }),
        item('bullet', { text: 'deep' }),
      ],
    },
  ]);
});

it('leaves text that looks like a template as it is', () => {
  expect(blocksOfHtml('<p>{{ first_name }} &lt;b&gt;</p>')).toEqual([
    { type: 'text', content: [item('paragraph', { text: '{{ first_name }} <b>' })] },
  ]);
});

it('makes nothing of nothing', () => expect(blocksOfHtml('<!--StartFragment--> <p>&nbsp;</p>')).toEqual([]));

it('reads hostile markup of 300 KB at once', () => {
  for (const piece of ['<style', '<a style=', '<p', ' style =', '<b style="'])
    expect(() => withoutStyles(piece.repeat(300_000 / piece.length))).not.toThrow();
  expect(withoutStyles('<STYLE>p{}</STYLE><p class=x style = "color: red">style=1</p>')).toBe(
    '<template>p{}</template><p class=x data-style = "color: red">style=1</p>',
  );
});

it('names handlers otherwise before it is read, and leaves addresses alone', () => {
  expect(withoutStyles(`<p class="a"onclick="x()" ONLOAD = 'y()'>on = off</p>`)).toBe(
    `<p class="a"data-onclick="x()" data-ONLOAD = 'y()'>on = off</p>`,
  );
  const linked = '<a href="https://example.com/online=1?on=2&style=3">x</a>';
  expect(withoutStyles(linked)).toBe(linked);
});
