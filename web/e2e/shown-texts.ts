import type { Page } from 'playwright-core'

/**
 * Returns the texts that a reader of the page sees or hears, except those that are not translated: names, addresses, code, and texts that
 * declare their language or direction. What `isolateName` isolates is left out.
 */
export async function listShownTexts(page: Page): Promise<string[]> {
  return (await page.evaluate(script)) as string[]
}

const script = `(() => {
  const kept = '[aria-hidden=true], bdi, code, kbd, pre, option, [lang]:not(html), [dir]:not(html), script, style, noscript'
  const names = ['aria-label', 'aria-description', 'aria-roledescription', 'aria-valuetext', 'title', 'placeholder', 'alt']
  const found = new Set()
  const add = (text, element) => {
    const own = text.replaceAll(/[\\u2066-\\u2068][^\\u2069]*\\u2069/g, '').trim()
    if (/[A-Za-z]{3}/.test(own) && element.checkVisibility() && !element.closest(kept)) found.add(own)
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) add(walker.currentNode.textContent, walker.currentNode.parentElement)
  for (const element of document.querySelectorAll(names.map((name) => '[' + name + ']').join())) {
    for (const name of names) add(element.getAttribute(name) ?? '', element)
  }
  return [...found]
})()`
