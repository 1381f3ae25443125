import { createContext, startTransition, use, useEffect, useState, type ReactNode } from 'react'

/** The parts of the desk that are rendered after its frame, in this order. */
const laterParts = ['lines', 'panels'] as const
type LaterPart = (typeof laterParts)[number]

/** How many of the later parts are rendered. Outside of an opening desk all are. */
const OpeningContext = createContext<number>(laterParts.length)

/**
 * Renders the frame of the desk first, then its lines, then its panels. Each is committed and laid out in a separate task, so the page reacts
 * between them, and the lines are readable before the panels are there.
 */
export function Opening({ children }: { children: ReactNode }) {
  const [count, setCount] = useState(0)
  useEffect(() => {
    if (count === laterParts.length) return
    const showNext = () => setCount(count + 1)
    // What an effect sets is rendered in the same task. The panels are in no hurry: other updates go before them.
    const timer = setTimeout(() => (count === 0 ? showNext() : startTransition(showNext)))
    return () => clearTimeout(timer)
  }, [count])
  return <OpeningContext value={count}>{children}</OpeningContext>
}

/** Returns whether a part of the desk should be rendered. */
export function useIsOpened(part: LaterPart): boolean {
  return use(OpeningContext) > laterParts.indexOf(part)
}
