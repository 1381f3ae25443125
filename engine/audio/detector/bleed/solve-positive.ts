/** Solves `matrix · x = values` for a symmetric positive definite matrix, given row by row (Cholesky). */
export function solvePositive(matrix: Float64Array, values: Float64Array): Float64Array<ArrayBuffer> {
  const count = values.length
  const lower = new Float64Array(count * count)
  const at = (row: number, column: number) => lower[row * count + column] ?? 0
  for (let row = 0; row < count; row += 1) {
    for (let column = 0; column <= row; column += 1) {
      let sum = matrix[row * count + column] ?? 0
      for (let inner = 0; inner < column; inner += 1) sum -= at(row, inner) * at(column, inner)
      // Rounding may push a pivot close to zero below it.
      lower[row * count + column] = row === column ? Math.sqrt(Math.max(sum, Number.EPSILON)) : sum / at(column, column)
    }
  }
  const solution = new Float64Array(count)
  for (let row = 0; row < count; row += 1) {
    let sum = values[row] ?? 0
    for (let inner = 0; inner < row; inner += 1) sum -= at(row, inner) * (solution[inner] ?? 0)
    solution[row] = sum / at(row, row)
  }
  for (let row = count - 1; row >= 0; row -= 1) {
    let sum = solution[row] ?? 0
    for (let inner = row + 1; inner < count; inner += 1) sum -= at(inner, row) * (solution[inner] ?? 0)
    solution[row] = sum / at(row, row)
  }
  return solution
}
