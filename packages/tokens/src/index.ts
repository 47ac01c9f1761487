export { deriveBrand, writeBrandStyle, type BrandProperties } from './brand.ts'
export { contrast, parseHex, textOn, type Rgb } from './contrast.ts'
