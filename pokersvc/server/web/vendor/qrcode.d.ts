/** The part of qrcode-generator that the page uses. */
export interface QRCode {
  addData(text: string): void;
  make(): void;
  getModuleCount(): number;
  isDark(row: number, column: number): boolean;
}
export default function qrcode(typeNumber: number, level: "L" | "M" | "Q" | "H"): QRCode;
