/*
 * law.c -- double-double arithmetic and the law of a roll (see law.h).
 *
 * The sums and products are the classical error-free transformations (Dekker, "A floating-point
 * technique for extending the available precision", Numerische Mathematik 18, 1971; Knuth, TAOCP 2,
 * 4.2.2). They need strict IEEE double arithmetic without contraction, as all code here has.
 */
#include "hog/law.h"

#include <assert.h>
#include <stdlib.h>

static ag_dd two_sum(double a, double b)
{
    const double s = a + b, t = s - a;
    return (ag_dd){s, (a - (s - t)) + (b - t)};
}

static ag_dd normalised(double hi, double lo)
{
    const double s = hi + lo;
    return (ag_dd){s, lo - (s - hi)};
}

static ag_dd two_product(double a, double b)
{
    const double split = 134217729.0; /* 2^27 + 1 */
    const double ca = split * a, ah = ca - (ca - a), al = a - ah;
    const double cb = split * b, bh = cb - (cb - b), bl = b - bh;
    const double p = a * b;
    return (ag_dd){p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

ag_dd ag_dd_from(double x)
{
    return (ag_dd){x, 0.0};
}

ag_dd ag_dd_add(ag_dd a, ag_dd b)
{
    const ag_dd s = two_sum(a.hi, b.hi), t = two_sum(a.lo, b.lo);
    const ag_dd u = normalised(s.hi, s.lo + t.hi);
    return normalised(u.hi, u.lo + t.lo);
}

ag_dd ag_dd_sub(ag_dd a, ag_dd b)
{
    return ag_dd_add(a, (ag_dd){-b.hi, -b.lo});
}

ag_dd ag_dd_mul(ag_dd a, ag_dd b)
{
    const ag_dd p = two_product(a.hi, b.hi);
    return normalised(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

ag_dd ag_dd_div(ag_dd a, ag_dd b)
{
    const double q1 = a.hi / b.hi;
    ag_dd rest = ag_dd_sub(a, ag_dd_mul(b, ag_dd_from(q1)));
    const double q2 = rest.hi / b.hi;
    rest = ag_dd_sub(rest, ag_dd_mul(b, ag_dd_from(q2)));
    return ag_dd_add(normalised(q1, q2), ag_dd_from(rest.hi / b.hi));
}

ag_hog_die ag_hog_die_of(const ag_hog_rules *rules, int kind)
{
    if (kind == 1 && rules->wild == AG_HOG_WILD_SEVENS)
        return (ag_hog_die){4, false};
    return (ag_hog_die){rules->faces, kind == 1 && rules->wild == AG_HOG_WILD_SEVENS_REROLL};
}

/* P(face): 1 / faces, or for rerolled dice (odd / faces) / faces, plus 1 / faces for an even face. */
static ag_dd face_probability(ag_hog_die die, int face)
{
    const double f = die.faces, odd = (double)((die.faces + 1) / 2);
    if (!die.rerolled)
        return ag_dd_div(ag_dd_from(1.0), ag_dd_from(f));
    return ag_dd_div(ag_dd_from(face % 2 == 0 ? f + odd : odd), ag_dd_from(f * f));
}

size_t ag_hog_sums_row(int faces, int n)
{
    const size_t m = (size_t)n;
    return m == 0 ? 0 : (size_t)faces * (m * (m - 1) / 2) + m;
}

ag_dd *ag_hog_sums(ag_hog_die die, int n_max)
{
    ag_dd *p = calloc(ag_hog_sums_row(die.faces, n_max + 1), sizeof *p);
    ag_dd face[AG_HOG_FACES_MAX + 1], unit = ag_dd_from(1.0);
    double ways = 1.0;
    assert(die.faces >= 2 && n_max >= 1);
    if (!p)
        return NULL;
    for (int d = 2; d <= die.faces; d++)
        face[d] = face_probability(die, d);
    p[0] = ag_dd_from(1.0);
    /* Faces that are equally likely: whole numbers of ways, plain doubles as long as those hold them exactly. */
    for (int n = 1; n <= n_max; n++) {
        const ag_dd *below = p + ag_hog_sums_row(die.faces, n - 1);
        ag_dd *row = p + ag_hog_sums_row(die.faces, n);
        ways *= die.faces;
        for (int k = 2 * n; k <= n * die.faces; k++) {
            const int low = k - die.faces > 2 * (n - 1) ? k - die.faces : 2 * (n - 1);
            const int high = k - 2 < (n - 1) * die.faces ? k - 2 : (n - 1) * die.faces;
            ag_dd sum = {0.0, 0.0};
            for (int j = low; j <= high; j++) {
                if (die.rerolled)
                    sum = ag_dd_add(sum, ag_dd_mul(face[k - j], below[j]));
                else if (ways < 0x1p53)
                    sum.hi += below[j].hi;
                else
                    sum = ag_dd_add(sum, below[j]);
            }
            row[k] = sum;
        }
    }
    for (int n = 1; n <= n_max && !die.rerolled; n++) {
        ag_dd *row = p + ag_hog_sums_row(die.faces, n);
        unit = ag_dd_mul(unit, face[2]);
        for (int k = 2 * n; k <= n * die.faces; k++)
            row[k] = ag_dd_mul(row[k], unit);
    }
    return p;
}

static ag_dd power(ag_dd x, int n)
{
    ag_dd y = ag_dd_from(1.0);
    for (int i = 0; i < n; i++)
        y = ag_dd_mul(y, x);
    return y;
}

ag_dd ag_hog_ones(ag_hog_die die, int n, int j)
{
    const ag_dd one = face_probability(die, 1);
    ag_dd p = ag_dd_mul(power(one, j), power(ag_dd_sub(ag_dd_from(1.0), one), n - j));
    for (int i = 1; i <= j; i++)
        p = ag_dd_div(ag_dd_mul(p, ag_dd_from(n - j + i)), ag_dd_from(i));
    return p;
}

ag_dd ag_hog_spoiled(ag_hog_die die, int n)
{
    /* p (1 + r + ... + r^(n-1)) with r = 1 - p */
    const ag_dd one = face_probability(die, 1), r = ag_dd_sub(ag_dd_from(1.0), one);
    ag_dd sum = {0.0, 0.0}, term = one;
    for (int i = 0; i < n; i++) {
        sum = ag_dd_add(sum, term);
        term = ag_dd_mul(term, r);
    }
    return sum;
}
