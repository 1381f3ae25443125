import { createContext, startTransition, use, useEffect, useState, type ReactNode } from 'react'

/** The parts of the desk that are rendered after its frame, in this order. */
const laterParts = ['lines', 'panels'] as const
type LaterPart = (typeof laterParts)[number]

/** How many of the later parts are rendered; outside an opening desk, all of them. */
const OpeningContext = createContext<number>(laterParts.length)

/**
 * Renders the frame of the desk first, then its lines, then its panels. Each is committed and laid out in a separate task, so the page
 * stays responsive in between, and the lines are readable before the panels appear.
 */
export function Opening({ children }: { children: ReactNode }) {
  const [count, setCount] = useState(0)
  useEffect(() => {
    if (count === laterParts.length) return
    const showNext = () => setCount(count + 1)
    // State set directly in an effect would render in the same task. The panels can wait, so other updates take precedence.
    const timer = setTimeout(() => (count === 0 ? showNext() : startTransition(showNext)))
    return () => clearTimeout(timer)
  }, [count])
  return <OpeningContext value={count}>{children}</OpeningContext>
}

/** Returns whether a part of the desk should be rendered. */
export function useIsOpened(part: LaterPart): boolean {
  return use(OpeningContext) > laterParts.indexOf(part)
}
