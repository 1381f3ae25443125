// Runs in the thread of createDocxWriter.
export { writeDocx } from './write-docx.ts'
