//! Who pays: a first name, and an e-mail address or a phone number
//! (<https://developers.tap.company/reference/charge-response-codes>, codes 1129, 1130 and 1139).

use payonce::Problem;
use payonce::provider::EncodeError;
use serde::Serialize;

/// The most characters of a first name, by code 1131.
const NAME: usize = 149;

/// The whole name stands in the first name: where it divides is not ours to guess.
#[derive(Serialize)]
pub(super) struct Customer<'a> {
    first_name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    phone: Option<Phone<'a>>,
}

#[derive(Serialize)]
struct Phone<'a> {
    country_code: &'a str,
    number: &'a str,
}

/// The customer of an intent, as Tap wants it.
pub(super) fn of(given: Option<&payonce::Customer>) -> Result<Customer<'_>, EncodeError> {
    let refused = |field: &str, problem: &str| {
        let problem = Problem::other(problem);
        Err(EncodeError::field(field, problem))
    };
    let Some(given) = given else {
        return refused(
            "customer",
            "is missing: Tap asks for a name, and an e-mail address or a phone number, with every \
             payment and capture",
        );
    };
    let field = |name| given.get(name).filter(|text| !text.is_empty());
    let Some(first_name) = field("name") else {
        return refused("customer name", "is missing: Tap asks for it");
    };
    if first_name.chars().nth(NAME).is_some() {
        let problem = Problem::TooLong { limit: NAME };
        return Err(EncodeError::field("customer name", problem));
    }
    let (email, number) = (field("email"), field("phone"));
    if email.is_none() && number.is_none() {
        return refused(
            "customer email",
            "is missing, as is a phone number: Tap asks for one of the two",
        );
    }
    let phone = number.map(split);
    if phone == Some(None) {
        return refused(
            "customer phone",
            "is no number with its country code: write it like +966500000001",
        );
    }
    let phone = phone.flatten().map(|(country_code, number)| Phone {
        country_code,
        number,
    });
    Ok(Customer {
        first_name,
        email,
        phone,
    })
}

/// The country code and the rest of a number. Codes have one digit (1 and 7), two (those below), or
/// three, and none begins another: <https://www.itu.int/rec/T-REC-E.164>.
fn split(number: &str) -> Option<(&str, &str)> {
    const TWO: &str = "20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 \
                       60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98";
    let digits = number.strip_prefix('+')?;
    let fits = (8..=15).contains(&digits.len()) && !digits.starts_with('0');
    if !fits || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let two = digits.get(..2)?;
    let length = if digits.starts_with(['1', '7']) {
        1
    } else if TWO.split(' ').any(|code| code == two) {
        2
    } else {
        3
    };
    digits.split_at_checked(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_split_after_its_country_code() {
        for (number, parts) in [
            ("+966500000001", ("966", "500000001")),
            ("+96550000000", ("965", "50000000")),
            ("+201000000000", ("20", "1000000000")),
            ("+12025550100", ("1", "2025550100")),
            ("+77010000000", ("7", "7010000000")),
            ("+442079460000", ("44", "2079460000")),
            ("+35312345678", ("353", "12345678")),
        ] {
            assert_eq!(split(number), Some(parts), "{number}");
        }
    }

    #[test]
    fn what_has_no_country_code_is_not_guessed_at() {
        for number in [
            "0500000001",
            "966500000001",
            "+0966500000001",
            "+966 50 000 0001",
            "+966",
            "+1234567890123456",
            "+٩٦٦٥٠٠٠٠٠٠٠١",
            "",
        ] {
            assert_eq!(split(number), None, "{number}");
        }
    }
}
