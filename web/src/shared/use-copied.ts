import { useEffect, useRef, useState } from 'react'
import { copyText } from './clipboard.ts'

/** The Copied indicator is shown for 2 seconds (accounts specification, section 9). */
const copiedMs = 2000

/** Copies text; `isCopied` is true for 2 seconds afterwards. `onFailure` runs when the browser refuses. */
export function useCopied(onFailure: () => void): { isCopied: boolean; copy: (text: string) => Promise<void> } {
  const [isCopied, setIsCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  async function copy(text: string) {
    try {
      await copyText(text)
    } catch {
      onFailure()
      return
    }
    setIsCopied(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setIsCopied(false), copiedMs)
  }
  return { isCopied, copy }
}
