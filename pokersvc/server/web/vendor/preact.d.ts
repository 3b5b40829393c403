/** The part of htm/preact/standalone.module.js that the page uses. */
export interface VNode { readonly type: unknown; readonly key: unknown }
export type Child = VNode | string | number | boolean | null | undefined | Child[];
export interface Ref<T> { current: T }
export function html(strings: TemplateStringsArray, ...values: unknown[]): VNode;
export function render(node: VNode, parent: Element): void;
export function useState<S>(initial: S | (() => S)): [S, (next: S | ((previous: S) => S)) => void];
export function useReducer<S, A>(reducer: (state: S, action: A) => S, initial: S): [S, (action: A) => void];
export function useEffect(effect: () => void | (() => void), inputs?: readonly unknown[]): void;
export function useLayoutEffect(effect: () => void | (() => void), inputs?: readonly unknown[]): void;
export function useRef<T>(initial: T): Ref<T>;
export function useMemo<T>(make: () => T, inputs?: readonly unknown[]): T;
export function useCallback<F extends (...args: never[]) => unknown>(callback: F, inputs: readonly unknown[]): F;
