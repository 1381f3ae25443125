import { useEffect } from 'react'
import { isolateName } from '#contract/isolated-name.ts'

/**
 * Names the page in the browser's tab. `isFileName` where the browser makes the name of a file from it, as it does when a page is saved:
 * then nothing is isolated.
 */
export function useTitle(title: string, { isFileName = false } = {}): void {
  useEffect(() => {
    document.title = `${isFileName ? title : isolateName(title)} · Awaz`
  }, [title, isFileName])
}
