/** A product as others name it. */
export interface ProductName {
  productCode: string
  productVersion?: string | null
}

const reserved = /[%/@]/g

/** A name inside a key string: `%`, `/` and `@` percent-encoded. */
export const keyText = (name: string) =>
  name.replace(reserved, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)

/** A product inside a key string: `ACME-CAD@2.0`. */
export const productText = (product: ProductName) =>
  product.productVersion
    ? `${keyText(product.productCode)}@${keyText(product.productVersion)}`
    : keyText(product.productCode)
