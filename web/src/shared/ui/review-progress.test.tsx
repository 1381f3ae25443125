import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { ReviewProgress } from './review-progress.tsx'

it('says how much was heard and verified, and by two people', () => {
  render(<ReviewProgress progress={{ heard: 0.453, verified: 0.12, verified_twice: 0.03 }} hasFigures />)
  const name = '45% of the lines heard by you, 12% verified, 3% by two people'
  expect(screen.getByRole('img', { name })).toHaveTextContent('45% heard, 12% verified')
})

it('is nothing before the first line', () => {
  const { container } = render(<ReviewProgress progress={{ heard: 0, verified: 0, verified_twice: 0 }} hasFigures />)
  expect(container).toBeEmptyDOMElement()
})
