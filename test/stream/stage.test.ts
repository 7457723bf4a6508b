import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inspect } from "node:util";
import {
  concatMap,
  defer,
  finalize,
  from,
  map,
  NEVER,
  type Observable,
  of,
  Subject,
  take,
  throwError,
  timer,
  toArray,
} from "rxjs";
import { TestScheduler } from "rxjs/testing";
import { stage } from "../../src/stream/stage.ts";

interface A {
  readonly type: "a";
}
interface B {
  readonly type: "b";
}
const failing: Observable<A> = throwError(() => "source");
const silent: Observable<A> = NEVER;
const a: A = { type: "a" };
const b: B = { type: "b" };

describe("stage()", () => {
  it("repeats every event, then adds what follows from the kind that it reads", () => {
    of(a, b, a).pipe(stage("a", (_: A): B[] => [b, b]), toArray()).subscribe((events) =>
      assert.deepEqual(events.map(({ type }) => type).join(""), "abbbabb")
    );
  });

  it("lets what takes time follow in its time, and completes after the last of it", () => {
    new TestScheduler(assert.deepEqual).run(({ hot, expectObservable }) => {
      const source = hot<A | B>("      a-b-a|", { a, b });
      const later = stage("a", (_: A) => timer(3).pipe(map(() => b)));
      expectObservable(source.pipe(later)).toBe("a-bba--(b|)", { a, b });
    });
  });

  it("hands on errors of the source, of what follows and of the question itself", () => {
    const failures: unknown[] = [];
    const error = (cause: unknown) => failures.push(cause);
    failing.pipe(stage("a", (_: A): B[] => [])).subscribe({ error });
    of(a).pipe(stage("a", (_: A) => throwError(() => "later"))).subscribe({ error });
    of(a).pipe(stage("a", (_: A): B[] => {
      throw new Error("question");
    })).subscribe({ error });
    assert.deepEqual(failures.map(String), ["source", "later", "Error: question"]);
  });

  it("has seen an event before any later stage acts on it", () => {
    const order: string[] = [];
    const note = (name: string) =>
      stage("a", (_: A): B[] => {
        order.push(name);
        return [];
      });
    of(a).pipe(note("audit"), note("act")).subscribe(() => order.push("end"));
    assert.deepEqual(order, ["audit", "act", "end"]);
  });

  it("starts nothing when a later stage unsubscribes because of the event", () => {
    const source = new Subject<A>();
    const seen: string[] = [];
    const starting: Observable<B> = defer(() => {
      seen.push("started");
      return of(b);
    });
    const subscription = source.pipe(stage("a", (_: A) => starting)).subscribe(({ type }) => {
      seen.push(type);
      subscription.unsubscribe();
    });
    source.next(a);
    assert.deepEqual(seen, ["a"]);
  });

  it("reads nothing more of a source that goes on when it is unsubscribed", () => {
    let read = 0;
    const count = (_: A): B[] => {
      read++;
      return [];
    };
    of(a, a, a).pipe(stage("a", count), take(1)).subscribe();
    assert.equal(read, 1);
  });

  it("ends a source, and what follows, that would go on for ever in the same turn", () => {
    let made = 0;
    const endless = function* <E>(event: E) {
      // So that the test fails, rather than hangs.
      while (made++ < 100) yield event;
    };
    from(endless(a)).pipe(stage("a", (_: A): B[] => [b]), take(3)).subscribe();
    assert.equal(made, 2);
    made = 0;
    of(a).pipe(stage("a", (_: A) => endless(b)), take(3)).subscribe();
    assert.equal(made, 2);
  });

  it("completes after what follows, also where the source completes because of the event", () => {
    for (const following of [[b, b], of(b, b), timer(0).pipe(concatMap(() => [b, b]))]) {
      new TestScheduler(() => {}).run(({ flush }) => {
        const source = new Subject<A>();
        const seen: string[] = [];
        source.pipe(stage("a", (_: A) => following)).subscribe({
          next: ({ type }) => {
            seen.push(type);
            source.complete();
          },
          complete: () => seen.push("complete"),
        });
        source.next(a);
        flush();
        assert.deepEqual(seen, ["a", "b", "b", "complete"]);
      });
    }
  });

  it("completes after the teardown of what follows", () => {
    const order: string[] = [];
    const following = new Subject<B>();
    const ended = following.pipe(finalize(() => order.push("ended")));
    of(a).pipe(stage("a", (_: A) => ended)).subscribe({ complete: () => order.push("complete") });
    following.complete();
    assert.deepEqual(order, ["ended", "complete"]);
  });

  it("keeps nothing of what has followed and completed", () => {
    const source = new Subject<A>();
    const subscription = source.pipe(stage("a", (_: A) => of(b))).subscribe();
    const held = () => inspect(subscription, { depth: 6, maxArrayLength: null }).length;
    source.next(a);
    const before = held();
    for (let i = 0; i < 1_000; i++) source.next(a);
    assert.equal(held(), before);
    subscription.unsubscribe();
  });

  it("ends whatever still follows when it is unsubscribed", () => {
    let ended = 0;
    const endless = new Subject<B>();
    const subscription = of(a).pipe(stage("a", (_: A) => endless)).subscribe({
      complete: () => ended++,
    });
    assert.equal(endless.observed, true);
    subscription.unsubscribe();
    assert.equal(endless.observed, false);
    assert.equal(ended, 0);
  });

  it("keeps no event's state in the factory: one stage serves many streams", () => {
    const echo = stage("a", (_: A): B[] => [b]);
    const seen: string[] = [];
    of(a).pipe(echo).subscribe(({ type }) => seen.push(`1${type}`));
    of(a).pipe(echo).subscribe(({ type }) => seen.push(`2${type}`));
    silent.pipe(echo).subscribe().unsubscribe();
    assert.deepEqual(seen, ["1a", "1b", "2a", "2b"]);
  });
});
